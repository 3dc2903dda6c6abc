// Loaded into a process of ours by `node --import`: at each SIGUSR2 something in it throws, each time in
// another way, with words in it that may stand in no log.
const words = 'ACP-SCOPE-CANARY \u001b[2J';
const ways = [
  () => {
    throw new Error(words);
  },
  () => void Promise.reject(new TypeError(words)),
  () => {
    throw words;
  },
  () => void setImmediate(() => JSON.parse(words)),
];
let next = 0;
process.on('SIGUSR2', () => ways[next++ % ways.length]());
