import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sampleOf } from '../docs/samples.ts';
import { SECRET, VECTORS } from '../docs/signing-vectors.ts';
import { operationIds } from '../support/contract.ts';
import { createPythonProject, type InstalledPython, installPython, runPython, runTests } from './installed-python.ts';

let installed: InstalledPython;

beforeAll(async () => {
  installed = await installPython();
});

const MODULES = readdirSync('clients/python/tests')
  .filter((name) => /^test_\w+\.py$/.test(name))
  .map((name) => name.replace('.py', ''));

test.for(MODULES)('the installed package passes %s', async (module, { skip }) => {
  if (installed.missing !== null) skip(installed.missing);
  await runTests(installed, module);
});

const SIGN = `
import json, os
from kasi._signature import signature_of
for v in json.loads(os.environ["VECTORS"]):
    print(signature_of(os.environ["SECRET"], v["timestamp"], v["method"], v["target"], v["body"].encode(), v["key"]))
`;

test('the client in Python signs like every vector of the guide', async ({ skip }) => {
  if (installed.missing !== null) skip(installed.missing);
  const printed = await runPython(installed, ['-c', SIGN], { env: { SECRET, VECTORS: JSON.stringify(VECTORS) } });
  expect(printed.trim().split('\n')).toEqual(VECTORS.map(({ signature }) => signature));
});

test('the wheel contains what runs and nothing else', ({ skip }) => {
  if (installed.missing !== null) skip(installed.missing);
  const { stdout } = spawnSync(installed.python, ['-m', 'zipfile', '--list', installed.wheel], { encoding: 'utf8' });
  const files = [...stdout.matchAll(/^(\S+) +\d{4}-/gm)].map(([, name = '']) => name);
  expect(files).toEqual(
    expect.arrayContaining(['kasi/__init__.py', 'kasi/py.typed', 'kasi/admin.py', 'kasi/_generated/models.py']),
  );
  const others = files.filter((name) => !/^kasi\/(_generated\/)?\w+\.py$/.test(name));
  expect(others.sort()).toEqual([
    'kasi/py.typed',
    ...['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((name) => `kasi_client-0.1.0.dist-info/${name}`),
  ]);
});

const CONSUMER = `
from decimal import Decimal
from typing_extensions import assert_type

from kasi import Kasi, KasiError, to_json
from kasi.admin import KasiAdmin
from kasi.types import CreatePaymentRequest, Payment, WebhookEvent

kasi = Kasi(base_url="http://127.0.0.1:9", max_retries=0)


def describe(event: WebhookEvent) -> str:
    if event["type"] == "payment.completed":
        payment: Payment = event["data"]
        return payment["paidAt"] or "never"
    if event["type"] == "checkout.session.completed":
        return event["data"]["successUrl"]
    if event["type"] == "merchant.status_changed":
        return event["data"]["slug"]  # type: ignore[typeddict-item, no-any-return]  # A merchant has no slug.
    return event["id"]


def wrong() -> None:
    kasi.payments.create({"amount": "5", "currency": "USD"})  # type: ignore[typeddict-item]  # A number.
    kasi.payments.create({"amount": 5})  # type: ignore[typeddict-item]  # There is no currency.
    kasi.payments.create({"amount": 5, "currency": "USD", "colour": 1})  # type: ignore[typeddict-unknown-key]
    kasi.payments.iterate({"status": "lost"})  # type: ignore[arg-type]  # There is no such status.
    kasi.payments.get("pay_1", idempotency_key="order-1001")  # type: ignore[call-arg]  # Reading takes no key.


def right(order: CreatePaymentRequest, admin: KasiAdmin) -> None:
    payment = kasi.payments.create(order, idempotency_key="order-1001", timeout=5)
    assert_type(payment["amount"], Decimal)
    kasi.payments.create({"amount": payment["amount"] * 2, "currency": payment["currency"]})
    for found in kasi.payments.iterate({"status": "paid", "minAmount": 0.5}):
        print(found["id"])
    assert_type(kasi.public.payments.qr_png("pay_1"), bytes)
    admin.withdrawals.approve("wd_1")


try:
    kasi.public.payments.get("pay_1")
except KasiError as error:
    print(error.code, error.status, to_json({"amount": Decimal("1.10")}))
`;

test('the types hold under mypy --strict for Python 3.9, in all samples, too', async ({ skip }) => {
  if (installed.missing !== null) skip(installed.missing);
  const project = await createPythonProject();
  await writeFile(join(project, 'consumer.py'), CONSUMER);
  const strict = ['-m', 'mypy', '--strict', '--python-version', '3.9', '--cache-dir', join(project, 'cache')];
  const [sources, tests] = ['src/kasi', 'tests'].map((name) => resolve('clients/python', name));
  await mkdir(join(project, 'samples'));
  for (const id of operationIds) await writeFile(join(project, 'samples', `${id}.py`), sampleOf(id, 'Python'));
  await runPython(installed, [...strict, 'consumer.py', 'samples', sources ?? '', tests ?? ''], { cwd: project });
  expect(await runPython(installed, ['consumer.py'], { cwd: project })).toBe('NETWORK_ERROR 0 {"amount":1.10}\n');
});

test('the version is said once more, where programs can ask for it', () => {
  const said = (file: string): string | undefined =>
    /version_* = "([\d.]+)"/.exec(readFileSync(`clients/python/${file}`, 'utf8'))?.[1];
  expect(said('src/kasi/__init__.py')).toBe(said('pyproject.toml'));
});
