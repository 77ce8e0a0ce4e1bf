/** Queries whether this container's server responds; exits with 0 or 1. For health checks of images and compose. */
const answers = await fetch(`http://127.0.0.1:${process.env.PORT || '3000'}/healthz`, {
  signal: AbortSignal.timeout(4_000),
}).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(answers ? 0 : 1)
