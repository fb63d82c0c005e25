/** The newest notes, as many as are worth keeping. */
export type NoteList = {
  readonly add: (line: string) => void
  readonly newest: (count: number) => readonly string[]
}

export function createNoteList({ limit }: { readonly limit: number }): NoteList {
  const lines: string[] = []
  return {
    add: (line) => {
      lines.push(line)
      if (lines.length > limit) lines.shift()
    },
    newest: (count) => (count <= 0 ? [] : lines.slice(-count)),
  }
}
