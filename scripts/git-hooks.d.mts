/** Sets `core.hooksPath` to `.githooks` if it is not set. */
export function useGitHooks(root: string, env?: NodeJS.ProcessEnv): void
