dpfda release data/dti_like.csv --values 'cca_*' --subject ID --moments covariance --roughness 0 \
    --bounds 0,1 --epsilon 8 --delta 1e-5 --out varied
dpfda components varied --synthetic 100 --seed 1 --clip 0,1 --out components
dpfda evaluate varied --at 0.25,0.5 --band prediction
