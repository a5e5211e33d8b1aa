"""The fixture map: a small file, owned by people, from paths to the fixtures that examine them."""
