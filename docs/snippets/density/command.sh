dpfda release data/dti_like.csv --columns cca_47 --subject ID --bounds 0,1 --epsilon 1 --out density
