const { default: byDefault } = require("@changesets/cli/changelog");

/** The changelogs of the packages: as the default ones, but with the updated dependencies of a release listed once. */
module.exports = {
  getReleaseLine: byDefault.getReleaseLine,
  getDependencyReleaseLine: async (_changesets, dependencies) =>
    dependencies.length === 0
      ? ""
      : ["- Updated dependencies", ...dependencies.map((one) => `  - ${one.name}@${one.newVersion}`)].join("\n"),
};
