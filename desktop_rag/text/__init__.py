"""Text as the keyword search and the splitter see it: words, stems, sentences."""
