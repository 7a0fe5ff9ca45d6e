dpfda release data/dti_like.csv --values 'cca_*' --subject ID --on case \
    --covariate-bounds 'case=0|1' --bounds 0,1 --epsilon 2 --delta 1e-5 --out regression
dpfda evaluate regression --at case=1 --maximum
