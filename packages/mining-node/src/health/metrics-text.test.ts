import { expect, it } from 'vitest'
import { metricsText, samplesOf } from './metrics-text.ts'

it('writes the text format, big numbers whole and labels escaped', () => {
  const text = metricsText([
    { name: 'a_total', type: 'counter', help: 'Ones.', samples: [{ value: 18446744073709551615n }] },
    { name: 'b', type: 'gauge', help: 'Two.', samples: [{ labels: { of: 'a"b\\c\nd' }, value: 0.5 }] },
  ])
  expect(text).toBe(
    '# HELP a_total Ones.\n# TYPE a_total counter\na_total 18446744073709551615\n' +
      '# HELP b Two.\n# TYPE b gauge\nb{of="a\\"b\\\\c\\nd"} 0.5\n',
  )
})

it('G-18: leaves out what is not known instead of calling it 0', () => {
  const unknown = { name: 'height', type: 'gauge' as const, help: 'Height.', samples: samplesOf(null) }
  expect(metricsText([unknown])).toBe('\n')
})
