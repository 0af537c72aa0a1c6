import fc from "fast-check";

// The same inputs in every run, so that a red run is red for everyone. `FC_SEED=random npm test` looks for new ones.
const { FC_SEED = "20261121" } = process.env;
fc.configureGlobal({ seed: FC_SEED === "random" ? Date.now() : Number(FC_SEED) });
