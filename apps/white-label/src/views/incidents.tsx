import '../style/incidents.css'
import type { Incident } from '@hailstone/brand/runtime'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import type { TextOf } from '../i18n/make-texts.ts'
import { type FeedState, type IncidentFeed, markOf, openIncidentFeed } from '../incidents/incident-feed.ts'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card } from '../parts/page.tsx'
import { Ticking } from '../parts/ticking.tsx'
import { agoText } from '../text/time-text.ts'

let opened: IncidentFeed | null = null

/** Returns the feed of this app, which has one brand. */
function feedOf(url: string, brandId: string): IncidentFeed {
  opened ??= openIncidentFeed(url, `hailstone-${brandId}-incidents`)
  return opened
}

type Shown = FeedState & { readonly host: string; readonly hide: IncidentFeed['hide'] }

function useIncidents(url: string): Shown {
  const { brand } = useApp()
  const { snapshot, subscribe, hide } = feedOf(url, brand.id)
  const state = useSyncExternalStore(subscribe, snapshot, snapshot)
  return { ...state, hide, host: new URL(url).host }
}

/** Trouble that the publisher reports: a banner for serious ones, a line for others. Nothing says that all is well. */
export function Incidents({ url }: { readonly url: string }): ReactNode {
  const text = useLaterTexts()
  const { incidents, hidden, lastReading, readAtMs, host, hide } = useIncidents(url)
  const seen = text === null ? [] : incidents.filter((one) => !hidden.includes(markOf(one)))
  return (
    <aside
      className="incidents"
      aria-label={text?.('incident.title')}
      data-reading={text === null ? 'none' : (lastReading ?? 'none')}
    >
      {text !== null &&
        seen.map((incident) => {
          const parts = { incident, host, text, readAtMs, role: 'status' } as const
          const actions = <Actions incident={incident} text={text} onHide={() => hide(incident)} />
          return incident.impact === 'major' ? (
            <Notice key={incident.id} tone="danger" action={actions}>
              <Words {...parts} />
            </Notice>
          ) : (
            <div key={incident.id} className="incident-line small">
              <Icon name="info" />
              <div>
                <Words {...parts} />
              </div>
              {actions}
            </div>
          )
        })}
    </aside>
  )
}

/** All incidents of the last reading, those that were hidden included. */
export function IncidentCard({ url }: { readonly url: string }): ReactNode {
  const text = useLaterTexts()
  const { incidents, readAtMs, host } = useIncidents(url)
  if (text === null || incidents.length === 0) return null
  return (
    <Card title={text('incident.title')}>
      <ul className="incident-list">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <Words incident={incident} host={host} text={text} readAtMs={readAtMs} />
            <Page incident={incident} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Words({
  incident,
  host,
  text,
  readAtMs,
  role,
}: {
  readonly incident: Incident
  readonly host: string
  readonly text: TextOf<LaterKey>
  readonly readAtMs: number | null
  /** Role of the report alone: its age changes all the time and is not read aloud. */
  readonly role?: 'status'
}): ReactNode {
  const { language } = useTexts()
  const { impact, title, startedAtMs } = incident
  return (
    <>
      <div role={role}>
        <p>
          {text(impact === 'major' ? 'incident.major' : 'incident.minor', { host: `\u2068${host}\u2069` })}
        </p>
        <p className="incident-title" dir="auto">
          {title}
        </p>
      </div>
      <p className="muted small">
        <Ticking everyMs={10_000}>
          {(now) => {
            const read = agoText(readAtMs ?? now, now, language)
            const since = startedAtMs === null ? null : agoText(startedAtMs, now, language)
            return since === null ? text('incident.read', { read }) : text('incident.age', { since, read })
          }}
        </Ticking>
      </p>
    </>
  )
}

/** A link to the page of an incident, with its host. */
const Page = ({ incident: { url } }: { readonly incident: Incident }): ReactNode =>
  url !== null && (
    <a className="button button-small" href={url} target="_blank" rel="noopener noreferrer">
      <bdi>{new URL(url).host}</bdi>
    </a>
  )

const Actions = ({
  incident,
  text,
  onHide,
}: {
  readonly incident: Incident
  readonly text: TextOf<LaterKey>
  readonly onHide: () => void
}): ReactNode => (
  <div className="incident-actions">
    <Page incident={incident} />
    <button type="button" className="button button-small button-quiet" onClick={onHide}>
      {text('incident.hide')}
    </button>
  </div>
)
