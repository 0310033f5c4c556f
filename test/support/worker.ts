// Runs in every worker. When the runner is killed, its workers would go on with their tests and start servers that
// nothing stops.
if (process.listenerCount('disconnect') === 0) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
