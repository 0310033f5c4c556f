/**
 * `npm run try:container`: builds the image of `deploy/Containerfile` from this checkout's package and runs it as an
 * operator would, read-only and without rights, against a PostgreSQL of its own: roles, migration, service, readiness.
 * Where no podman or docker can build or run, it says so and ends with 0. `NODE_IMAGE` names another base.
 */
import { findEngine, SkippedTrial, tryContainer } from './container/trial.ts';
import { untilInterrupted } from './lib/service-process.ts';

try {
  const engine = await findEngine();
  const { size, readyMs, said } = await untilInterrupted(tryContainer(engine, console.log));
  console.log(`The image has ${(size / 1e6).toFixed(0)} MB, base included.`);
  console.log(`Read-only, as an unprivileged user, it was ready after ${(readyMs / 1000).toFixed(1)} s: ${said}`);
} catch (error) {
  if (error instanceof SkippedTrial) console.log(`SKIPPED: the image was not tried, because ${error.message}`);
  else {
    console.error(error);
    process.exitCode = 1;
  }
}
process.exit();
