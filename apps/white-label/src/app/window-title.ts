// The name of the app, until a view has come.
let view = document.title
let state = ''

function write(): void {
  document.title = state === '' ? view : `${state} · ${view}`
}

/** Names the view in the title of the window. */
export function titleView(next: string): void {
  view = next
  write()
}

/** Puts the state of the miner before the name of the view; an empty one takes it away. */
export function titleState(next: string): void {
  state = next
  write()
}
