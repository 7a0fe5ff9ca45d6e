dpfda release data/dti_like.csv --values 'cca_*' --subject ID \
    --center 0.5 --radius 0.25 --epsilon 1 --delta 0 --out pure
dpfda forecast --noise best --epsilon 0.1 --delta 0.01 --sensitivity 1
