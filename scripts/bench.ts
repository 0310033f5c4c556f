/** Measures every promise about speed and memory, each as a ratio within this run. Usage: npm run bench [part …] */
import { benchCreateSession } from './bench/create-session.ts';
import { type Figure, holds, renderFigures } from './bench/figure.ts';
import { benchGetPayment } from './bench/get-payment.ts';
import { type BenchService, startBenchService } from './bench/service.ts';

type Part = (service: BenchService) => Promise<Figure | Figure[]>;

const PARTS: Readonly<Record<string, Part>> = {
  get: benchGetPayment,
  session: benchCreateSession,
};

const wanted = process.argv.slice(2);
const parts = Object.entries(PARTS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const service = await startBenchService();
const figures: Figure[] = [];
try {
  for (const [name, run] of parts) {
    process.stderr.write(`measuring ${name} …\n`);
    figures.push(...[await run(service)].flat());
  }
} finally {
  await service.stop();
}
process.stdout.write(`${renderFigures(figures)}\n`);
process.exitCode = figures.every(holds) ? 0 : 1;
