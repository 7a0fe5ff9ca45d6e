dpfda key new curator --no-passphrase
dpfda ledger create people.ledger --epsilon 3 --delta 1e-4 \
    --unit subject --neighbours substitute --dataset tracts
dpfda release docs/snippets/custodian/study.toml data/dti_like.csv \
    --ledger people.ledger --sign curator --out signed
dpfda report signed --ledger people.ledger --key curator.pub \
    --study docs/snippets/custodian/study.toml --out report.html
