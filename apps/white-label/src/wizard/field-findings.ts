import type { View } from './ask.ts'
import { findingLine } from './finding-line.ts'
import { make } from './make.ts'
import { type Finding, findingsAbout, inEnglish } from './verdicts.ts'
import { word } from './words.ts'

export type Offer = NonNullable<Finding['proposal']>

/** All fields with the lines for their findings. A picture has two: its file and its path. */
const shownFields: {
  readonly path: string
  readonly field: HTMLElement
  readonly fault: HTMLElement
  readonly proposals: HTMLElement
}[] = []

/** Forgets all fields: others take their place. */
export const forgetFields = (): void => {
  shownFields.length = 0
}

/** Returns the first field of a setting. */
export const fieldFor = (path: string): HTMLElement | undefined =>
  shownFields.find((one) => one.path === path)?.field

/** Returns the lines below a field, which say what is wrong with its setting. */
export function linesBelow(path: string, field: HTMLElement, id: string): readonly HTMLElement[] {
  const fault = make('small', { ...inEnglish, className: 'fault', id, role: 'status' })
  const proposals = make('div', { className: 'offers' })
  shownFields.push({ path, field, fault, proposals })
  return [fault, proposals]
}

/**
 * Shows beside each field what is wrong with its setting, and what can be taken instead. `onTaken` is called with a
 * proposal that was pressed, and its button.
 */
export function showFaults(
  { findings, values }: View,
  onTaken: (offer: Offer, button: HTMLButtonElement) => void,
): void {
  for (const { path, field, fault, proposals } of shownFields) {
    const own = [
      ...findingsAbout(path, findings),
      // Findings of a picture name its file.
      ...(path.startsWith('assets.') ? findingsAbout(values[path] || path, findings) : []),
    ].filter((one, index, all) => all.indexOf(one) === index)
    const isWrong = own.some(({ severity }) => severity === 'error')
    field.setAttribute('aria-invalid', String(isWrong))
    fault.className = isWrong ? 'fault error' : 'fault'
    fault.textContent = own.map(findingLine).join(' ')
    const offers = own.flatMap(({ proposal }) => proposal ?? [])
    const different = offers.filter(
      (one, index) =>
        offers.findIndex((other) => other.path === one.path && other.value === one.value) === index,
    )
    // A button that stays keeps the focus.
    const mark = JSON.stringify(different)
    if (proposals.dataset.offers === mark) continue
    proposals.dataset.offers = mark
    proposals.replaceChildren(...different.map((offer) => offerButton(offer, onTaken)))
  }
}

/** Returns the button that takes a proposal. */
function offerButton(
  offer: Offer,
  onTaken: (offer: Offer, button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const { value } = offer
  const button = make('button', {
    type: 'button',
    className: 'second offer',
    textContent:
      value === '' ? word('proposal.remove') : word('proposal.take', { value: `\u2068${value}\u2069` }),
  })
  if (/^#[0-9a-f]{6}$/i.test(value)) {
    const sample = make('span', { className: 'sample', ariaHidden: 'true' })
    sample.style.backgroundColor = value
    button.prepend(sample)
  }
  button.addEventListener('click', () => onTaken(offer, button))
  return button
}
