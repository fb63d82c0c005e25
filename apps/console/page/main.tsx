import './console.css'
import { type ComponentType, type JSX, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Figure } from '../src/figures/figure.ts'
import { includesRole, listFigures, type Role } from '../src/people/roles.ts'
import { AccountView, Explanation } from './account-view.tsx'
import { AlertsView } from './alerts/alerts-view.tsx'
import type { Status } from './ask.ts'
import { FigureView, MinersView } from './figure-view.tsx'
import { Loading } from './parts.tsx'
import { loadSession, type Session, useSession } from './people/session.ts'
import { SessionLine } from './people/session-line.tsx'
import { SignInView } from './people/sign-in-view.tsx'
import { useAnswer } from './use-answer.ts'

type View = {
  readonly name: string
  readonly title: string
  /** Least role that the console answers. */
  readonly role: Role
  readonly show: (rest: string, session: Session) => JSX.Element
}

const figure = (name: string, title: string, newestFirst = false): View => ({
  name,
  title,
  role: listFigures.includes(name) ? 'analyst' : 'viewer',
  show: () => <FigureView path={`/v1/${name}`} newestFirst={newestFirst} />,
})

const views: readonly View[] = [
  figure('overview', 'Overview', true),
  figure('hours', 'Hours', true),
  { name: 'miners', title: 'Miners', role: 'analyst', show: () => <MinersView /> },
  {
    name: 'account',
    title: 'One account',
    role: 'support',
    show: (address) => <AccountView key={address} address={address} />,
  },
  figure('retention', 'Retention'),
  {
    ...figure('rewards', 'Rewards'),
    show: () => (
      <>
        <FigureView path="/v1/reward-sums" name="Sums" />
        <h3>Each day</h3>
        <FigureView path="/v1/rewards" newestFirst name="Each day" />
      </>
    ),
  },
  figure('emission', 'Emission'),
  figure('stakes', 'Stakes'),
  figure('below', 'Below the stake'),
  figure('agents', 'Agents'),
  figure('payouts', 'Payouts'),
  {
    ...figure('health', 'Health'),
    show: () => (
      <>
        <Explanation path="/v1/slot" />
        <FigureView path="/v1/health" />
      </>
    ),
  },
  {
    name: 'alerts',
    title: 'Alerts',
    role: 'admin',
    show: () => <AlertsView />,
  },
  { name: 'labels', title: 'Labels', role: 'admin', show: () => <LabelsView /> },
  {
    name: 'people',
    title: 'People and tokens',
    role: 'viewer',
    show: (_, session) => <PeopleView session={session} />,
  },
]

const route = (): readonly [string, string] => {
  const [name = '', ...rest] = location.hash.replace(/^#/, '').split('/')
  return [name, rest.join('/')]
}

/** Returns a view that is fetched when somebody opens it: most visits are about figures. */
function later<Properties extends object>(
  load: () => Promise<{ readonly default: ComponentType<Properties> }>,
): ComponentType<Properties> {
  return (properties) => {
    const [Loaded, setLoaded] = useState<ComponentType<Properties> | null>(null)
    useEffect(() => {
      void load().then((module) => setLoaded(() => module.default))
    }, [])
    return Loaded === null ? <Loading /> : <Loaded {...properties} />
  }
}

const PeopleView = later(() => import('./people/people-view.tsx'))
const LabelsView = later(() => import('./labels/labels-view.tsx'))

function Page(): JSX.Element {
  const state = useSession()
  useEffect(() => void loadSession(), [])
  if (state.kind === 'unknown') return <Loading />
  return state.kind === 'out' ? <SignInView state={state} /> : <App session={state.session} />
}

/** Name of the partner, where the console has a brand. */
const brandName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content

function App({ session }: { readonly session: Session }): JSX.Element {
  const [[name, rest], setRoute] = useState(route)
  useEffect(() => {
    const move = (): void => setRoute(route())
    addEventListener('hashchange', move)
    // An effect comes after the frame: the address may have changed since the first look at it.
    move()
    return () => removeEventListener('hashchange', move)
  }, [])
  const { answer, failure } = useAnswer<Figure>('/v1/health')
  const open = views.filter(({ role }) => includesRole(session.role, role))
  const view = open.find((one) => one.name === name) ?? (views[0] as View)
  const symbol = answer?.token.symbol ?? ''
  const owner = brandName ?? symbol
  useEffect(() => {
    document.title = `${view.title} – ${owner} console`
  }, [view.title, owner])
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the figures
      </button>
      <header>
        <h1>
          {brandName !== undefined && <img class="icon" src="/brand-icon" alt="" />}
          {owner === '' ? 'Console' : `${owner} console`}
        </h1>
        <StatusLine status={answer?.status ?? null} failure={failure} />
        <SessionLine session={session} />
        <nav aria-label="Figures">
          {open.map((one) => (
            <a key={one.name} href={`#${one.name}`} aria-current={one === view ? 'page' : undefined}>
              {one.title}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <h2>{view.title}</h2>
        {view.show(rest, session)}
      </main>
    </>
  )
}

const words: { readonly [State in Status['state']]: string } = {
  starting: 'reading the chain',
  following: 'following the chain',
  behind: 'the API is behind or away; nothing is taken back',
  lying: 'the API says what cannot be; nothing is taken over',
  forked: 'the chain differs deeper than can be undone',
  failing: 'the tables cannot be written',
}

function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} hours`
  return `${Math.floor(seconds / 86_400)} days`
}

/** Returns seconds that go on between two answers. */
function useAge(status: Status | null): number {
  const [more, setMore] = useState(0)
  useEffect(() => {
    const since = performance.now()
    setMore(0)
    const timer = setInterval(() => setMore(Math.floor((performance.now() - since) / 1000)), 10_000)
    return () => clearInterval(timer)
  }, [status])
  return (status?.ageSeconds ?? 0) + more
}

function StatusLine({
  status,
  failure,
}: {
  readonly status: Status | null
  readonly failure: string | null
}): JSX.Element {
  const age = useAge(status)
  if (failure !== null) return <p role="status">{failure}</p>
  if (status === null) return <p role="status">Reading …</p>
  const { height, state, reorganisations, activeAlerts, alertsFailure } = status
  const at = height === null ? 'no macroblock yet' : `height ${height}, ${ageText(age)} old`
  return (
    <p>
      {at};{' '}
      <span role="status">
        {words[state]}
        {status.failure !== null && `: ${status.failure.replace(/\.$/, '')}`}
        {activeAlerts > 0 && `; active alerts: ${activeAlerts}`}
        {alertsFailure !== null && `; ${alertsFailure}`}
        {reorganisations > 0 && `; reorganisations seen: ${reorganisations}`}
      </span>
    </p>
  )
}

const place = document.getElementById('app')
if (place !== null) render(<Page />, place)
