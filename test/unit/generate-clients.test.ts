import { expect, test } from 'vitest';
import type { Contract, Schema } from '../../scripts/generate/client-schema.ts';
import { typesFile } from '../../scripts/generate/php-types.ts';
import { createTypes, modelsModule, numbersModule } from '../../scripts/generate/python-models.ts';

/** A contract with one operation, which takes and gives these types. */
function contractOf(schemas: Readonly<Record<string, Schema>>, sent: string, back: string): Contract {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const post = {
    operationId: 'makeThing',
    summary: 'Make a thing',
    requestBody: { required: true, content: content(sent) },
    responses: { 200: { content: content(back) } },
  };
  return { paths: { '/v1/things': { post } }, webhooks: {}, components: { schemas, parameters: {}, responses: {} } };
}

const pythonOf = (contract: Contract): string => modelsModule(contract, createTypes(contract));

const THING: Schema = {
  type: 'object',
  description: 'A "thing" with a \\ in it.',
  required: ['id', 'price', 'from'],
  properties: {
    id: { type: 'string' },
    price: { type: 'number', description: 'What it costs.' },
    from: { type: 'string' },
    note: { type: ['string', 'null'] },
    class: { enum: ['a', 'b'], type: 'string' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
  },
};

test('what is sent takes any number and sequence, and what comes back has one type for each', () => {
  const text = pythonOf(contractOf({ Thing: THING }, 'Thing', 'Thing'));
  expect(text).toContain('    price: Decimal\n    """What it costs."""\n');
  expect(text).toContain('    parts: List[Thing]\n');
  expect(text).toContain('    price: Amount\n');
  expect(text).toContain('    parts: Sequence[ThingInput]\n');
});

test('names that the grammar of Python refuses, and what may be missing, get classes of their own', () => {
  const text = pythonOf(contractOf({ Thing: THING, Other: { type: 'object', properties: {} } }, 'Other', 'Thing'));
  expect(text).toContain('_ThingOdd = TypedDict(\n    "_ThingOdd",\n    {\n');
  expect(text).toMatch(
    /_ThingOddOptional = TypedDict\([\s\S]+"class": "Literal\[\\"a\\", \\"b\\"\]",\n {4}\},\n {4}total=False,\n\)/,
  );
  expect(text).toContain('class _Thing(_ThingOdd, _ThingOddOptional):\n    id: str\n');
  expect(text).toContain('class Thing(_Thing, total=False):\n    """A "thing" with a \\\\ in it."""\n');
  expect(text).toContain('    note: Optional[str]\n');
});

test('a name is a number everywhere or nowhere', () => {
  const number = contractOf({ A: { type: 'object', properties: { fee: { type: 'number' } } } }, 'A', 'A');
  expect(numbersModule(number)).toContain('"fee"');
  const schemas: Record<string, Schema> = {
    A: { type: 'object', properties: { fee: { type: 'number' }, b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'object', properties: { fee: { type: 'integer' } } },
  };
  expect(() => numbersModule(contractOf(schemas, 'A', 'A'))).toThrow(/fee is a number in one answer and an integer/);
});

test('an object without a name is refused', () => {
  const inline: Schema = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
  };
  expect(() => pythonOf(contractOf({ A: inline }, 'A', 'A'))).toThrow(/An object without a name: b/);
});

test('PHPDoc has the shape of every type', () => {
  expect(typesFile(contractOf({ Thing: THING }, 'Thing', 'Thing'))).toContain(
    " * @phpstan-type Thing array{id: string, price: int|float, from: string, note?: string|null, class?: 'a'|'b', parts?: list<Thing>}\n",
  );
});
