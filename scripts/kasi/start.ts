/** Becomes the service: the same process, so that signals reach it, and nothing else stays in memory. */
import { serviceCommand, serviceEnv } from '../lib/service-command.mjs';

const env = { ...serviceEnv, ...process.env };
if (!process.execve) throw new Error('kasi start needs a POSIX system');
process.execve(process.execPath, [process.execPath, ...serviceCommand], env);
