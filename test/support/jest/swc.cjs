/** How @swc/core compiles the sources that tests run. */
module.exports = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, useDefineForClassFields: false },
  },
};
