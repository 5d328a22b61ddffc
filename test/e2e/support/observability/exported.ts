/** What one process exports of one metric: the samples' names and their labels' values. */
interface ExportedMetric {
  name: string;
  help: string;
  type: string;
}

/** Everything that a running system exports. */
export interface Exported {
  /** By the name in # HELP and # TYPE. */
  metrics: Map<string, ExportedMetric>;
  /** Values of each label by the sample's name, such as `…_bucket`. */
  samples: Map<string, Map<string, Set<string>>>;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads Prometheus' text format (0.0.4). @throws Error for a line that is none of it */
export function readExport(texts: string[]): Exported {
  const exported: Exported = { metrics: new Map(), samples: new Map() };
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind !== undefined) {
      const metric = exported.metrics.get(name) ?? { name, help: '', type: '' };
      exported.metrics.set(name, { ...metric, [kind.toLowerCase()]: rest });
    } else if (line !== '' && !line.startsWith('#')) {
      addSample(exported, line);
    }
  }
  return exported;
}

function addSample({ samples }: Exported, line: string): void {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || Number.isNaN(Number(value.replace('Inf', 'Infinity')))) {
    // A gauge without a value may be NaN.
    if (value !== 'NaN' && value !== 'Nan') throw new Error(`Not a sample: ${line}`);
    return;
  }
  const known = samples.get(name) ?? new Map<string, Set<string>>();
  samples.set(name, known);
  for (const [, label = '', text = ''] of labels.matchAll(LABEL)) {
    known.set(label, (known.get(label) ?? new Set()).add(text));
  }
}
