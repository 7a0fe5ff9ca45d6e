dpfda release data/week_like.csv --id id --time hour --value glucose --domain 0,24 --periodic \
    --bins 8 --center 6 --radius 2 --epsilon 1 --delta 1e-5 --out day
dpfda evaluate day --integral 22,6 --maximum
