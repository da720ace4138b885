import { pushImage } from '../../release/push-image.mjs';

/** @typedef {import('./trial.mjs').Trial} Trial */

/** Debian's own registry; what it holds goes with its container. */
const registry = `FROM $DEBIAN_IMAGE
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends docker-registry && rm -rf /var/lib/apt/lists/*
RUN printf 'version: 0.1\\nstorage: { filesystem: { rootdirectory: /registry } }\\nhttp: { addr: ":5000" }\\n' > /registry.yml
CMD ["docker-registry", "serve", "/registry.yml"]`;

/**
 * Whether an image goes to a registry as a release sends it, and comes back from there as it was.
 * @param {Trial} trial
 * @returns {Promise<string[]>} what is wrong
 */
export async function lostOnTheWay(trial) {
  const name = `${trial.project}-registry`;
  const { IMAGE_PREFIX } = trial.env;
  const dockerfile = registry.replace('$DEBIAN_IMAGE', process.env['DEBIAN_IMAGE'] ?? '');
  try {
    await trial.sh(`docker compose --project-name ${name} --file - build <<'END'
services: { registry: { image: "$IMAGE_PREFIX/registry", build: { context: ., dockerfile_inline: ${JSON.stringify(dockerfile)} } } }
END`);
    await trial.sh(`docker run --detach --rm --name ${name} --publish 127.0.0.1::5000 ${IMAGE_PREFIX}/registry`);
    const address = (await trial.sh(`docker port ${name} 5000/tcp`)).trim();
    await trial.sh(`curl -sS --retry 20 --retry-delay 1 --retry-all-errors http://${address}/v2/`);
    const reference = `${address}/${IMAGE_PREFIX}/ussd-gateway:trial`;
    await trial.sh(`docker tag ${IMAGE_PREFIX}/ussd-gateway ${reference}`);
    const idOf = async (/** @type {string} */ image) =>
      (await trial.sh(`docker image inspect --format '{{.Id}}' ${image}`)).trim();
    const id = await idOf(reference);
    const digest = pushImage({ reference, id }, trial.env);
    await trial.sh(`docker image rm ${reference} ${digest} 2>/dev/null || true; docker pull --quiet ${digest}`);
    const back = await idOf(digest);
    await trial.sh(`docker image rm ${digest}`);
    return back === id ? [] : [`${digest} came back from the registry as ${back}, and was ${id}`];
  } finally {
    await trial.sh(`docker rm --force ${name} >/dev/null 2>&1 || true`);
  }
}
