import { describe, expect, it } from 'vitest'
import { feedFault } from './feed-fault.ts'
import { readIncidents } from './read-incidents.ts'

const own = (...incidents: readonly object[]): string => JSON.stringify({ incidents })
const minor = { id: 'a', title: 'Slow answers', impact: 'minor' }

describe('a feed of incidents', () => {
  it('is read in the form of a status page, without what is over or concerns nobody', () => {
    const page = {
      page: { id: 'x', name: 'Acme' },
      status: { indicator: 'major' },
      incidents: [
        { id: '1', name: 'Rewards come late', impact: 'minor', status: 'monitoring', created_at: 'soon' },
        {
          id: '2',
          name: 'Gateways are down',
          impact: 'critical',
          status: 'investigating',
          started_at: '2026-03-01T10:00:00Z',
          shortlink: 'https://stspg.example/2',
        },
        { id: '3', name: 'Over', impact: 'major', status: 'resolved' },
        { id: '4', name: 'A note', impact: 'none', status: 'investigating' },
      ],
    }
    expect(readIncidents(JSON.stringify(page))).toEqual([
      {
        id: '2',
        title: 'Gateways are down',
        impact: 'major',
        startedAtMs: Date.UTC(2026, 2, 1, 10),
        url: 'https://stspg.example/2',
      },
      { id: '1', title: 'Rewards come late', impact: 'minor', startedAtMs: null, url: null },
    ])
  })

  it('gives text alone: cut, on one line, without what cannot be seen', () => {
    const [first] = readIncidents(own({ ...minor, title: ` <script>x</script>\u202e\n\u0000a ` })) ?? []
    expect(first?.title).toBe('<script>x</script> a')
    const [long] = readIncidents(own({ ...minor, title: '🧊'.repeat(900) })) ?? []
    expect([...(long?.title ?? '')]).toHaveLength(200)
  })

  it.each([
    ['javascript:alert(1)'],
    ['http://acme.example/'],
    ['https://me:secret@acme.example/'],
    ['//acme.example'],
    [7],
  ])('has no link to %s', (url) => {
    expect(readIncidents(own({ ...minor, url }))?.[0]?.url).toBeNull()
  })

  it.each([
    ['a page', '<!doctype html><p>All is well</p>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['another object', '{"status":"ok"}'],
    ['a text as list', '{"incidents":"none"}'],
    ['an unknown impact', own({ ...minor, impact: 'apocalyptic' })],
    ['a name of objects as impact', own({ ...minor, impact: 'constructor' })],
    ['no title', own({ id: 'a', impact: 'minor' })],
    ['an empty title', own({ ...minor, title: ' \u200b' })],
    ['no id', own({ title: 'x', impact: 'minor' })],
    ['an incident that is a text', '{"incidents":["down"]}'],
    ['one good and one bad', own(minor, { ...minor, impact: 1 })],
  ])('is refused if it is %s', (_, text) => {
    expect(readIncidents(text)).toBeNull()
    expect(feedFault(text)).not.toBeNull()
  })

  it('may have none, and has five at most', () => {
    expect(readIncidents(own())).toEqual([])
    expect(feedFault(own(minor))).toBeNull()
    const many = Array.from({ length: 9 }, (_, at) => ({ ...minor, id: String(at) }))
    expect(
      readIncidents(own(...many, { ...minor, id: 'last', impact: 'major' }))?.map(({ id }) => id),
    ).toEqual(['last', '0', '1', '2', '3'])
  })
})
