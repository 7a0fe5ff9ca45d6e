dpfda release data/dti_like.csv --values 'cca_*' --subject ID \
    --bounds 0,1 --epsilon 1 --delta 1e-5 --out mean
dpfda evaluate mean --at 0.25,0.5
dpfda evaluate mean --derivative 0.5 --integral 0,1 --maximum
