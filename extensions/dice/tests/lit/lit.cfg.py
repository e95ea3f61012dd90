import os

from pyopt.lit import configure

folder = os.environ.get("CARGO_TARGET_DIR", "../target")
configure(config, lit_config, __file__, name="dice", pyopt=f"{folder}/release/dice-opt")
