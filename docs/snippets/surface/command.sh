dpfda release data/week_like.csv --id id --s day --t hour --value glucose \
    --surface 7,8 --surface-domain 1,7,0,21 --bounds 3,12 --epsilon 1 --delta 1e-5 --out week
dpfda evaluate week --at 6,21
dpfda evaluate week --slice s=6 --maximum
