import type { View } from './ask.ts'
import { fieldFor } from './field-findings.ts'
import { make } from './make.ts'
import { plainFields } from './plain-fields.ts'
import { endSearch, filterSettings, isSearching, searchField } from './search.ts'
import { decisions, findingsByStep, type StepName, stepNames, stepWords } from './step-names.ts'
import { keepChoice, storedChoice } from './stored.ts'
import { type WordKey, word, worded } from './words.ts'

/** One step: its button among the others, and what it shows. */
type Step = {
  readonly button: HTMLButtonElement
  readonly state: HTMLElement
  readonly pane: HTMLElement
  readonly heading: HTMLElement
  readonly open: HTMLElement
  readonly content: HTMLElement
  readonly next: HTMLButtonElement
}

type Arrangement = 'steps' | 'list'
const arrangementWords: Readonly<Record<Arrangement, WordKey>> = {
  steps: 'arrangement.steps',
  list: 'arrangement.list',
}

const isStep = (name: string | null): name is StepName => stepNames.some((one) => one === name)

/** Names of the choices in the storage of this page. */
const STEP = 'step'
const ARRANGEMENT = 'arrangement'

const first = storedChoice(STEP)
let current: StepName = isStep(first) ? first : 'name'
let arrangement: Arrangement = storedChoice(ARRANGEMENT) === 'list' ? 'list' : 'steps'

const steps: ReadonlyMap<StepName, Step> = new Map(stepNames.map((name, at) => [name, stepFor(name, at)]))

/** The panes of all steps, one below the other. */
export const stepPanes = make('div', { className: 'panes' }, ...[...steps.values()].map(({ pane }) => pane))

const bar = make('nav', {}, make('ol', { className: 'steps' }, ...[...steps.values()].map(rowOf)))

function rowOf({ button }: Step): HTMLElement {
  return make('li', {}, button)
}

function stepFor(name: StepName, at: number): Step {
  const state = make('span', { className: 'step-state' })
  const number = make('span', { className: 'step-number', textContent: String(at + 1), ariaHidden: 'true' })
  const title = worded(make('span', { className: 'step-title' }), stepWords[name])
  const button = make('button', { type: 'button', className: 'step' }, number, title, state)
  button.addEventListener('click', () => showStep(name))
  const heading = worded(make('h2', { tabIndex: -1 }), stepWords[name])
  const open = make('p', { className: 'open' })
  const content = make('div')
  const next = make('button', { type: 'button', className: 'second next' })
  const following = stepNames[at + 1]
  next.hidden = following === undefined
  next.addEventListener('click', () => {
    if (following === undefined) return
    showStep(following)
    steps.get(following)?.heading.focus()
  })
  const pane = make('div', { className: 'pane' }, heading, open, content, next)
  pane.dataset.step = name
  return { button, state, pane, heading, open, content, next }
}

/** Shows the panes by step, list and search. */
function arrange(): void {
  filterSettings(stepPanes)
  const isWhole = arrangement === 'list' || isSearching()
  bar.hidden = isWhole
  stepPanes.dataset.arrangement = arrangement
  for (const [name, { button, pane }] of steps) {
    const hasSome = pane.querySelector('[data-path]:not([hidden])') !== null
    pane.hidden = isSearching() ? !hasSome : !isWhole && name !== current
    if (name === current) button.setAttribute('aria-current', 'step')
    else button.removeAttribute('aria-current')
  }
}

function showStep(name: StepName): void {
  current = name
  keepChoice(STEP, name)
  arrange()
}

/** Focuses the field of a setting, in whichever step and folded part it is. */
export function focusField(path: string): void {
  const field = fieldFor(path)
  const step = field?.closest<HTMLElement>('.pane')?.dataset.step ?? null
  if (field?.closest('[hidden]')) {
    endSearch()
    if (isStep(step)) showStep(step)
  }
  const part = field?.closest('details')
  if (part) part.open = true
  field?.focus()
}

/** Fills the steps with the fields of a brand, in the language of the page. */
export function fillSteps(contents: ReadonlyMap<StepName, readonly HTMLElement[]>): void {
  bar.ariaLabel = word('steps.label')
  for (const [at, name] of stepNames.entries()) {
    const step = steps.get(name)
    step?.content.replaceChildren(...(contents.get(name) ?? []))
    const following = stepNames[at + 1]
    if (following !== undefined)
      step?.next.replaceChildren(word('step.next', { step: word(stepWords[following]) }))
  }
  arrange()
}

/** Shows of each step what is done and what is open, and how many findings it has. */
export function showSteps({ findings, values }: View): void {
  const byStep = findingsByStep(findings)
  for (const [name, { button, state, open }] of steps) {
    // The last step is about all of them.
    const own = name === 'check' ? findings : (byStep.get(name) ?? [])
    const errors = own.filter(({ severity }) => severity === 'error').length
    const left = decisions[name].filter((path) => (values[path] ?? '') === '')
    const all = decisions[name].length
    const isDone = left.length === 0
    button.dataset.tone = errors > 0 ? 'error' : own.length > 0 ? 'warning' : isDone ? 'done' : 'open'
    state.textContent =
      errors > 0
        ? word('step.fix', { count: String(errors) })
        : own.length > 0
          ? word('step.warn', { count: String(own.length) })
          : isDone
            ? word(name === 'check' ? 'verdict.fine' : 'step.done')
            : word('step.set', { done: String(all - left.length), all: String(all) })
    open.hidden = left.length === 0
    open.replaceChildren(word('step.open'), ...left.map(openButton))
  }
}

/** Returns the button that leads to a setting which is left as it comes. */
function openButton(path: string): HTMLElement {
  const label = plainFields.find((one) => one.path === path)?.label
  const text = label === undefined ? make('code', { textContent: path }) : word(label)
  const button = make('button', { type: 'button', className: 'second' }, text)
  button.addEventListener('click', () => focusField(path))
  return button
}

/** Creates what is above the settings: steps or list, the search, and the steps. */
export function stepControls(): readonly HTMLElement[] {
  const choices = (Object.keys(arrangementWords) as Arrangement[]).map((name) => {
    const input = make('input', {
      type: 'radio',
      name: ARRANGEMENT,
      value: name,
      checked: name === arrangement,
    })
    input.addEventListener('change', () => {
      arrangement = name
      keepChoice(ARRANGEMENT, name)
      arrange()
    })
    return make('label', {}, input, worded(make('span'), arrangementWords[name]))
  })
  const legend = worded(make('legend'), 'arrangement.label')
  return [make('fieldset', { className: 'views' }, legend, ...choices), searchField(arrange), bar]
}
