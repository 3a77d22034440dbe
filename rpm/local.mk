EXTRA_DIST += %D%/predicated.spec %D%/rpmlint.toml
