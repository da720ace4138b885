/**
 * Runs the features of one published client, as the test requests them: `node run.mjs <script> <package>…`.
 * A message from the test is `{feature, place}`; the reply is `{result}` or `{error}`. A feature may wait at a checkpoint for the test.
 */
const [script, ...packages] = process.argv.slice(2);
const features = await (await import(script)).default(...packages);

let pass = () => {};
const checkpoint = (name) => {
  process.send({ checkpoint: name });
  return new Promise((resolve) => {
    pass = resolve;
  });
};

async function run({ feature, place }) {
  try {
    process.send({ result: (await features[feature]({ ...place, checkpoint })) ?? null });
  } catch (error) {
    process.send({ error: error?.stack ?? String(error) });
  }
}

process.on('message', (message) => {
  if (message.go) pass();
  else void run(message);
});
process.send({ ready: Object.keys(features) });
