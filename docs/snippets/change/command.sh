dpfda release data/dti_like.csv --values 'cca_*' --subject ID --change visit=1,2 \
    --radius 0.1 --epsilon 1 --delta 1e-5 --out change
dpfda evaluate change --integral 0,1
