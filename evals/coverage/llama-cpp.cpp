// llama.cpp's own converter and its own grammar sampler, one JSON answer for each line read from stdin.
//
//   llama-cpp convert          a JSON Schema        -> {"us": N, "grammar": "...", "warning": "..."} or {"error": "..."}
//   llama-cpp masks MODEL      {"grammar": "...", "tokens": [N, ...]}
//                                                   -> {"us": [N, ...]}, a mask for each token, or {"error": "..."}
//
// The time of a mask contains the previous token being accepted. A token that the grammar refuses is an error.
#include "json-schema-to-grammar.h"
#include "llama.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <unistd.h>
#include <vector>

using clock_type = std::chrono::steady_clock;

static double microseconds(const std::function<void()> & run) {
    const auto begun = clock_type::now();
    run();
    return std::chrono::duration<double, std::micro>(clock_type::now() - begun).count();
}

/** What a function writes to stderr: the converter has no other way to say what it leaves out. */
static std::string warnings_of(const std::function<void()> & run) {
    std::FILE * file = std::tmpfile();
    const int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    std::exception_ptr failed;
    try {
        run();
    } catch (...) {
        failed = std::current_exception();
    }
    std::fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    std::string text(std::ftell(file), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    if (failed) std::rethrow_exception(failed);
    return text;
}

/** The grammar, and the fastest of three conversions. */
static common_json convert(const std::string & line) {
    const common_json schema = common_json::parse(line);
    std::string grammar;
    const auto converted = [&] { grammar = json_schema_to_grammar(schema, true); };
    double best = INFINITY;
    std::string warning;
    for (int i = 0; i < 3; i++) warning = warnings_of([&] { best = std::min(best, microseconds(converted)); });
    return {{"us", best}, {"grammar", grammar}, {"warning", warning}};
}

static common_json masks(const llama_vocab * vocab, const std::string & line) {
    const common_json asked = common_json::parse(line);
    const auto grammar = asked.at("grammar").get<std::string>();
    llama_sampler * sampler = llama_sampler_init_grammar(vocab, grammar.c_str(), "root");
    if (!sampler) throw std::runtime_error("llama.cpp cannot parse this grammar");
    const int size = llama_vocab_n_tokens(vocab);
    std::vector<llama_token_data> data(size);
    std::vector<double> times;
    llama_token previous = -1;
    for (const auto & token : asked.at("tokens").get<std::vector<int>>()) {
        for (int i = 0; i < size; i++) data[i] = {i, 0.0f, 0.0f};
        llama_token_data_array all = {data.data(), data.size(), -1, false};
        times.push_back(microseconds([&] {
            if (previous >= 0) llama_sampler_accept(sampler, previous);
            llama_sampler_apply(sampler, &all);
        }));
        if (std::isinf(data[token].logit)) throw std::runtime_error("the grammar refuses token " + std::to_string(token));
        previous = token;
    }
    llama_sampler_free(sampler);
    return {{"us", times}};
}

int main(int count, char ** arguments) {
    std::ios::sync_with_stdio(false);
    llama_log_set([](ggml_log_level, const char *, void *) {}, nullptr);
    const llama_vocab * vocab = nullptr;
    if (count > 2) {
        auto options = llama_model_default_params();
        options.vocab_only = true;
        vocab = llama_model_get_vocab(llama_model_load_from_file(arguments[2], options));
    }
    for (std::string line; std::getline(std::cin, line);) {
        common_json answer;
        try {
            answer = vocab ? masks(vocab, line) : convert(line);
        } catch (const std::exception & error) {
            answer = {{"error", std::string(error.what())}};
        }
        std::cout << answer.dump() << std::endl;
    }
}
