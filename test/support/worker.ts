// Runs in every worker. When the runner is killed, its workers would go on with their tests and start servers that
// nothing stops.
if (process.listenerCount('disconnect') === 0) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// A starting service validates its contract against the schema of OpenAPI, and the library compiles that schema for
// every start, which is a third of it. A worker starts dozens of services and compiles the schema once.
type Validator = { getAjvValidator: (this: object, version: string) => unknown };
const library = import.meta.resolve('@seriousme/openapi-schema-validator');
const { prototype } = ((await import(library)) as { Validator: { prototype: Validator } }).Validator;
const compile = prototype.getAjvValidator;
if (compile.name !== 'compileOnce') {
  const compiled = new Map<string, unknown>();
  prototype.getAjvValidator = function compileOnce(version) {
    const schema = compiled.get(version) ?? compile.call(this, version);
    compiled.set(version, schema);
    return schema;
  };
}
