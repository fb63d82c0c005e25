import { ask, type Edit, type Failure, type View } from './ask.ts'
import { changed, showChanges } from './changes.ts'
import { forgetFields, type Offer, showFaults } from './field-findings.ts'
import { refillFields } from './fields.ts'
import { markLook } from './looks.ts'
import { make } from './make.ts'
import { hasPending, sendTyped } from './pending-edits.ts'
import { captionPhones, markScreen, preview, reloadPhones, showPhones } from './phones.ts'
import { slotQuestion } from './slot.ts'
import { contentsOf } from './step-contents.ts'
import { fillSteps, focusField, showSteps, stepControls, stepPanes } from './steps.ts'
import { tokenMaker } from './token-maker.ts'
import { inEnglish, verdictsOf } from './verdicts.ts'
import style from './wizard.css?inline'
import { languageField, speakFirst, word, worded } from './words.ts'

const verdicts = make('ul', { className: 'verdicts' })
const checks = [changed, worded(make('h3'), 'title.checks'), verdicts]
const saying = make('p', { className: 'saying', role: 'status' })
const save = worded(make('button', { type: 'button' }), 'save.button')
const undo = worded(make('button', { type: 'button', className: 'second' }), 'undo.button')
const actions = make('div', { className: 'actions' }, save, undo, saying)
const choice = make('select', { name: 'brand' })
/** True while a brand has changes that are not saved. */
let hasUnsaved = false
/** Index of the brand on the page. */
let brand = 0

/** Returns what the page says of a failure. */
const failureLine = ({ error }: Failure): HTMLElement =>
  error === null
    ? make('span', { textContent: word('unanswered') })
    : make('span', { ...inEnglish, textContent: error })

/** Shows the findings. For a brand that is not on the page it only marks it as changed. */
function show(view: View | Failure): void {
  if ('error' in view) {
    saying.replaceChildren(failureLine(view))
    return
  }
  const { findings, isReady } = view
  showBrands(view.brands)
  if (view.brand !== brand) return
  verdicts.replaceChildren(...verdictsOf(findings))
  showFaults(view, takeOffer)
  showSteps(view)
  save.disabled = !isReady
  undo.disabled = !view.canUndo
  markLook(view.look)
  markScreen(view)
  showChanges(view)
  saying.textContent = isReady ? '' : word('unready')
  verdicts.dataset.ready = String(isReady)
}

async function takeOffer({ path, value }: Offer, button: HTMLButtonElement): Promise<void> {
  sendTyped()
  const view = await ask('/change', { brand, path, value })
  take(view, button)
  // The button is gone with its finding, and the focus with it, unless somebody moved it meanwhile.
  if (!button.isConnected && document.activeElement === document.body) focusField(path)
}

/** Lists the brands; those with unsaved changes are marked. */
function showBrands(brands: View['brands']): void {
  hasUnsaved = brands.some(({ isChanged }) => isChanged)
  const options = brands.map(({ name, isChanged }, index) =>
    make('option', {
      value: String(index),
      textContent: isChanged ? word('brand.unsaved', { brand: name }) : name,
      selected: index === brand,
    }),
  )
  choice.ariaLabel = word('brand')
  choice.replaceChildren(...options)
}

/** Shows an answer. It may arrive when another brand is shown. */
function take(view: View | Failure, field: Element): void {
  const isHere = 'brand' in view && view.brand === brand
  if (isHere && !field.isConnected) {
    showBrand(view)
    return
  }
  show(view)
  refill(view)
  if (isHere && view.isReady) reloadPhones()
}

/** Gives the brand a look. Its settings have fields of their own, which show the new values. */
async function applyLook(name: string, field: Element): Promise<void> {
  sendTyped()
  take(await ask('/look', { brand, name }), field)
}

/** Writes the values of an answer into the fields of the brand on the page. */
function refill(view: View | Failure): void {
  if (!('error' in view) && view.brand === brand) refillFields(stepPanes, view)
}

undo.addEventListener('click', async () => {
  sendTyped()
  take(await ask('/undo', { brand }), undo)
})

function showSettings(view: View): void {
  forgetFields()
  const own = brand
  const edit: Edit = async (path, body, field) => {
    const view = await ask(path, { brand: own, ...body })
    take(view, field)
    return view
  }
  const contents = contentsOf(view, edit, applyLook)
  const checked = [...(contents.get('check') ?? []), ...checks, ...slotQuestion(own)]
  const token = [...(contents.get('token') ?? []), tokenMaker(own, take)]
  fillSteps(new Map([...contents, ['token', token], ['check', checked]]))
}

/** Shows one brand: settings, verdicts and phones. */
function showBrand(view: View): void {
  brand = view.brand
  showSettings(view)
  showPhones(view)
  show(view)
}

// Browsers ask in words of their own.
addEventListener('beforeunload', (event) => {
  if (hasUnsaved || hasPending()) event.preventDefault()
})

choice.addEventListener('change', async () => {
  const wanted = Number(choice.value)
  sendTyped()
  const view = await ask('/show', { brand: wanted })
  if (!('error' in view)) return showBrand(view)
  choice.value = String(brand)
  show(view)
})

save.addEventListener('click', async () => {
  sendTyped()
  const view = await ask('/save', { brand })
  show(view)
  if ('error' in view || view.saved === undefined) return
  const { saved, isChangedElsewhere = false } = view
  if (isChangedElsewhere) {
    refill(view)
    if (view.isReady) reloadPhones()
  }
  saying.textContent =
    saved === null
      ? word('save.changed')
      : word(isChangedElsewhere ? 'save.merged' : 'save.done', { file: saved })
})

/** Shows the same brand in the language that was chosen. Edits are sent first, or they would be lost. */
async function showTranslated(): Promise<void> {
  sendTyped()
  const view = await ask('/show', { brand })
  if ('error' in view) return show(view)
  showSettings(view)
  captionPhones(view)
  show(view)
}

async function begin(): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  await speakFirst()
  const view = await ask('/view')
  if ('error' in view) return document.getElementById('wizard')?.append(failureLine(view))
  const top = make('div', { className: 'top' }, worded(make('h1'), 'title'), languageField(showTranslated))
  const brands = view.brands.length > 1 ? [make('label', {}, worded(make('span'), 'brand'), choice)] : []
  const section = [top, ...brands, ...stepControls(), stepPanes, actions]
  document.getElementById('wizard')?.append(
    make('section', {}, ...section),
    preview(() => brand, show),
  )
  showBrand(view)
}

await begin()
