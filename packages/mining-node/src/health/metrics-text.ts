/** One number of a program, as Prometheus reads it. */
export type Metric = {
  /** Begins with `hailstone_`; counters end with `_total`, times in `_seconds`. */
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly samples: readonly Sample[]
}

export type Sample = {
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** A bigint is written whole; Prometheus itself keeps doubles. */
  readonly value: number | bigint
}

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A number that may be missing: then the metric is left out, never shown as 0. */
export const samplesOf = (value: number | bigint | null | undefined): readonly Sample[] =>
  value === null || value === undefined ? [] : [{ value }]

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numberText = (value: number | bigint): string =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)

function labelText(labels: Sample['labels']): string {
  const entries = Object.entries(labels ?? {})
  if (entries.length === 0) return ''
  return `{${entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

/** Writes metrics in the text format of Prometheus, version 0.0.4. */
export function metricsText(metrics: readonly Metric[]): string {
  const lines = metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`),
    ])
  return `${lines.join('\n')}\n`
}
