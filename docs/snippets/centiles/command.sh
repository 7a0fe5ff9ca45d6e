dpfda release data/dti_like.csv --values 'cca_*' --subject ID --centiles 10,25,50,75,90 \
    --bounds 0,1 --center 0.5 --epsilon 2 --delta 1e-3 --out chart
