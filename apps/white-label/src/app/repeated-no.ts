const ANSWERS = 4

/** Asks. An answer that says no counts once it was repeated: one address may lead to several nodes, some of them behind. */
export async function repeatedNo<T>(ask: () => Promise<T>, isNo: (answer: T) => boolean): Promise<T> {
  let answer = await ask()
  for (let asked = 1; asked < ANSWERS && isNo(answer); asked++) answer = await ask()
  return answer
}
