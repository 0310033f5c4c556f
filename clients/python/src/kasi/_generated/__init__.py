"""What `npm run generate` writes; never edited."""
