dpfda release data/dti_like.csv --values 'cca_*' --subject ID --by case \
    --bounds 0,1 --epsilon 1 --delta 1e-5 --out groups
dpfda compare groups --groups 0,1 --figure difference.svg
