// Runs in every worker. One whose runner was killed would go on with its tests, starting servers that nobody ends.
if (process.listenerCount('disconnect') === 0) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
