# two sites, made of the example
awk -F, 'NR == 1 || $1 <= 1071' data/dti_like.csv > north.csv
awk -F, 'NR == 1 || $1 > 1071' data/dti_like.csv > south.csv

# the curator: a public plan, and a key that only curator and sites know
dpfda release north.csv --values 'cca_*' --subject ID --expected 142 --center-share none \
    --bounds 0,1 --epsilon 1 --delta 1e-5 --plan-only plan.json

# each site, with its own curves
dpfda part north.csv --plan plan.json --key plan.key --part north --out north.part
dpfda part south.csv --plan plan.json --key plan.key --part south --out south.part

# the curator
dpfda merge north.part south.part --plan plan.json --out together
