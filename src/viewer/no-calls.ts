// In place of what the engine never loads here.
export {};
