import { make } from './make.ts'
import { inEnglish } from './verdicts.ts'
import { word } from './words.ts'

async function sentenceOf(brand: number): Promise<string | null> {
  try {
    // Aside from the edits, which do not wait for a network.
    const answer = await fetch('/slot', {
      method: 'POST',
      body: JSON.stringify({ brand }),
      headers: { 'Content-Type': 'application/json' },
    })
    const { slot } = (await answer.json()) as { readonly slot?: unknown }
    return typeof slot === 'string' ? slot : null
  } catch {
    return null
  }
}

/** Creates the question whether the token of a brand has a place of its own, which its network answers. */
export function slotQuestion(brand: number): readonly HTMLElement[] {
  const said = make('p', { className: 'slot', role: 'status', ...inEnglish })
  const button = make('button', { type: 'button', className: 'second', textContent: word('slot.ask') })
  button.addEventListener('click', async () => {
    button.disabled = true
    said.textContent = '…'
    said.textContent = (await sentenceOf(brand)) ?? word('unanswered')
    button.disabled = false
  })
  return [button, said]
}
