import { parser } from '@prometheus-io/lezer-promql';
import type { Exported } from './exported';

/** A part of an expression; named by the parser, whose package has two copies of its type. */
type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** Labels that Prometheus itself puts on every sample. */
const TARGET_LABELS = ['job', 'instance'];
/** Metrics that Prometheus makes of a scrape. */
const SCRAPE_METRICS = ['up'];
/** Values that come only with an error that no test should have to make. */
const ANY_VALUE = ['status'];

interface Matcher {
  label: string;
  operator: string;
  value: string;
}

interface Selector {
  metric: string;
  matchers: Matcher[];
}

interface Expression {
  selectors: Selector[];
  /** Labels of `by`, `without`, `on` and `ignoring`, each with the metrics below it. */
  groupings: Array<{ label: string; metrics: string[] }>;
}

/** What speaks against an expression; empty when all that it names is exported. */
export function problemsOf(text: string, exported: Exported): string[] {
  const { selectors, groupings } = readExpression(text);
  if (selectors.length === 0 && !text.startsWith('vector(')) return ['it names no metric'];
  return [
    ...selectors.flatMap((selector) => problemsOfSelector(selector, exported)),
    ...groupings
      .filter(({ label, metrics }) => !metrics.some((one) => hasLabel(exported, one, label)))
      .map(({ label, metrics }) => `none of ${metrics.join(', ')} has the label ${label}`),
  ];
}

/** The metrics that an expression names, as in # TYPE. */
export function metricsIn(text: string): string[] {
  return readExpression(text).selectors.map(({ metric }) =>
    metric.replace(/_(bucket|count|sum)$/, ''),
  );
}

/** @throws Error when it is no PromQL */
function readExpression(text: string): Expression {
  const found: Expression = { selectors: [], groupings: [] };
  const source = (node: SyntaxNode) => text.slice(node.from, node.to);
  parser.parse(text).iterate({
    enter: ({ node }) => {
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${text}`);
      if (node.name === 'VectorSelector') found.selectors.push(selectorOf(node, source));
      if (node.name === 'GroupingLabels') {
        const metrics = all(aggregateOf(node), 'VectorSelector').map(
          (one) => selectorOf(one, source).metric,
        );
        for (const label of all(node, 'LabelName')) {
          found.groupings.push({ label: source(label), metrics });
        }
      }
    },
  });
  return found;
}

function selectorOf(node: SyntaxNode, source: (node: SyntaxNode) => string): Selector {
  const name = node.getChild('Identifier');
  return {
    metric: name === null ? '' : source(name),
    matchers: all(node, 'UnquotedLabelMatcher').map((matcher) => {
      const [label = '', operator = '', value = '""'] = [
        'LabelName',
        'MatchOp',
        'StringLiteral',
      ].flatMap((part) => matcher.getChildren(part).map(source));
      return { label, operator, value: JSON.parse(value) as string };
    }),
  };
}

/** What a grouping is about: the aggregation or the binary operation that it stands in. */
function aggregateOf(node: SyntaxNode): SyntaxNode {
  let outer = node;
  while (!['AggregateExpr', 'BinaryExpr'].includes(outer.name) && outer.parent !== null) {
    outer = outer.parent;
  }
  return outer;
}

function all(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((one) => {
    if (one.name === name) found.push(one.node);
  });
  return found;
}

function problemsOfSelector({ metric, matchers }: Selector, exported: Exported): string[] {
  if (SCRAPE_METRICS.includes(metric)) return [];
  const labels = exported.samples.get(metric);
  if (labels === undefined) return [`nobody exports ${metric}`];
  return matchers.flatMap(({ label, operator, value }) => {
    if (TARGET_LABELS.includes(label)) return [];
    const values = labels.get(label);
    if (values === undefined) return [`${metric} has no label ${label}`];
    if (ANY_VALUE.includes(label)) return [];
    // Each of `a|b` on its own: one that is misspelt would hide behind the other.
    const missing = value
      .split('|')
      .filter((one) => ![...values].some((known) => new RegExp(`^(?:${one})$`).test(known)));
    return missing.map((one) => `${metric} never has ${label}${operator}"${one}"`);
  });
}

function hasLabel({ samples }: Exported, metric: string, label: string): boolean {
  return TARGET_LABELS.includes(label) || samples.get(metric)?.has(label) === true;
}
