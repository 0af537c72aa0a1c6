# llama.cpp's own server, out of the wheel xllamacpp: python3 llama_server.py '{"model": PATH, "template": TEXT}'
# Prints its address, and ends when its standard input does.
import json
import os
import sys

import xllamacpp

options = json.loads(sys.argv[1])
params = xllamacpp.CommonParams()
params.model.path = options["model"]
params.n_ctx = 4096
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = options["port"]
params.use_jinja = True
params.warmup = False
params.n_gpu_layers = 0
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
if "template" in options:
    params.chat_template = options["template"]
server = xllamacpp.Server(params)
print("LISTENING " + server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
