<pml version="1">
  <memory><fakt>Kim likes tea.</fakt></memory>
</pml>
