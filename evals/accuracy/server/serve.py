# serve.py MODEL.gguf THREADS TEMPLATE: llama.cpp's own server, on a free port of this machine, until its input closes.
import sys
import xllamacpp

model, threads, template = sys.argv[1], int(sys.argv[2]), sys.argv[3]
params = xllamacpp.CommonParams()
params.model.path = model
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.use_jinja = True
params.cpuparams.n_threads = threads
params.cpuparams_batch.n_threads = threads
params.n_gpu_layers = 0
params.warmup = False
# The beginning of a prompt that a model with a sliding window has read already is not read again.
params.swa_full = True
with open(template) as file:
    params.chat_template = file.read()
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
