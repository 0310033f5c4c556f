/** The part of redocly's plugin interface that our rules use. The package has no types for it. */

export type Node = Readonly<Record<string, unknown>>;

export type Location = {
  readonly source: { readonly absoluteRef: string };
  readonly pointer: string;
  readonly child: (name: string) => Location;
  readonly key: () => Location;
};

export type Context = {
  readonly location: Location;
  readonly key: string | number;
  readonly report: (problem: { readonly message: string; readonly location?: Location }) => void;
};

type Visit = (node: Node, context: Context) => void;

export type Visitor = { readonly [type: string]: Visit | Visitor };

export type Rule = () => Visitor;
