/**
 * Closed answers have exactly the fields and values that this version writes: the tests of the contract
 * check them, and the client's types list the values. Open ones allow for what a later version adds
 * (docs/guides/versions.md): the committed document has them, because most generators make a program
 * that fails at an unknown field or value of a closed one.
 */
export type AnswerForm = 'open' | 'closed';

/** Makes every closed schema in a part of the document an open one. Its examples stay. */
export function openAnswers<Part>(part: Part): Part {
  return opened(part) as Part;
}

function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened);
  if (typeof node !== 'object' || node === null) return node;
  const { enum: values, const: value, ...rest } = node as { enum?: unknown[]; const?: unknown };
  const known = (values ?? [value]).filter((one) => typeof one === 'string');
  return {
    ...Object.fromEntries(
      Object.entries(rest)
        .filter(([name, child]) => name !== 'additionalProperties' || child !== false)
        .map(([name, child]) => [
          name,
          name === 'example' || name === 'examples' || name === 'about' ? child : opened(child),
        ]),
    ),
    ...(known.length === 0
      ? {}
      : { 'x-known-values': known, description: toText(known), examples: known.slice(0, 1) }),
  };
}

function toText(known: string[]): string {
  return `One of ${known.map((one) => `\`${one}\``).join(', ')}; more may follow`;
}
