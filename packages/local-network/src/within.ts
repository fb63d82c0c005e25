/** Settles as a promise does, or after the time as `late` says. */
export async function within<Result>(
  limitMs: number,
  promise: Promise<Result>,
  late: () => Result | Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(late()), limitMs)
  })
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer))
}
